// The examples of the package's documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENTS = ['npm/README.md', 'docs/javascript.md'];

/** Returns the blocks of code of a language: [{name, text}]. */
export const blocksOf = (language) => DOCUMENTS.flatMap((document) => {
  const text = readFileSync(join(process.env.LOYD_DOCUMENTS, document), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map((match) => ({ name: `${document}, line ${text.slice(0, match.index).split('\n').length}`, text: match[2] }));
});
