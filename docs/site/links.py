"""Checks that the links of a site lead to its own files and to places that exist in them. Other sites are not visited.

Usage: python links.py FOLDER. Prints the broken links, and exits with 1 if there are any.
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """Collects the links of a page, and the names to which links may lead."""

    def __init__(self, path):
        super().__init__()
        self.links = []
        self.names = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.names |= {attrs[key] for key in ("id", "name") if attrs.get(key)}
        self.links += [attrs[key] for key in ("href", "src") if attrs.get(key) and tag != "base"]


def broken(folder):
    """Yields the broken links below `folder`, each with its page."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = path
            if parts.path:
                to = (path.parent / urllib.parse.unquote(parts.path)).resolve()
                to = to / "index.html" if to.is_dir() else to
            # The page of the engine reads its own addresses.
            names = None if folder / "page" in to.parents else getattr(pages.get(to), "names", None)
            missing = names is not None and urllib.parse.unquote(parts.fragment) not in names
            if not to.is_file() or missing:
                yield path.relative_to(folder), link


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    links = list(broken(folder))
    for page, link in links:
        print(f"{page}: {link} leads nowhere", file=sys.stderr)
    sys.exit(1 if links else 0)


if __name__ == "__main__":
    main()
