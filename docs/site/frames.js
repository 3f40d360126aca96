// A paragraph that is nothing but a link to a view of the page shows that view in a frame, with the link below it.
for (const link of document.querySelectorAll('main p > a[href*="page/embed.html#"]')) {
  const paragraph = link.parentElement;
  if (paragraph.textContent.trim() !== link.textContent.trim()) continue;
  const frame = document.createElement('iframe');
  frame.className = 'live-page';
  frame.loading = 'lazy';
  frame.src = link.href;
  frame.title = link.textContent;
  paragraph.before(frame);
}
