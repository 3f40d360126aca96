// Makes index.d.ts, and the table of calls that calls.js imports, from the API's own description:
// `node make_types.js SERVER FOLDER`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';

/** Types whose name in the API means something else in TypeScript. */
const RENAMED = { Record: 'SolveAnswer' };

const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

/** Keywords of schemas that do not change the type. */
const SILENT = new Set(['description', 'title', 'format', 'minimum', 'maximum', 'default', 'minItems', 'maxItems', 'example', 'examples', 'additionalProperties']);

const nameOf = (reference) => {
  const name = reference.split('/').at(-1);
  return RENAMED[name] ?? name;
};

/** Returns the TypeScript type of a schema. Throws an Error if it has a keyword that is not known here. */
function typeOf(schema, indent = '') {
  if (schema === true || Object.keys(schema).length === 0) return 'unknown';
  const { $ref: reference, type, anyOf, oneOf, allOf, properties, required, items, prefixItems, enum: values, const: value, ...rest } = schema;
  const unknown = Object.keys(rest).filter((keyword) => !SILENT.has(keyword));
  if (unknown.length) throw new Error(`no type for the keyword ${unknown.join(', ')} of ${JSON.stringify(schema)}`);
  const parts = [];
  if (reference) parts.push(nameOf(reference));
  for (const choices of [anyOf, oneOf]) if (choices) parts.push(either(choices.map((choice) => typeOf(choice, indent))));
  for (const part of allOf ?? []) parts.push(typeOf(part, indent));
  if (value !== undefined) parts.push(JSON.stringify(value));
  else if (values) parts.push(either(values.map((one) => JSON.stringify(one))));
  else if (type) parts.push(either([type].flat().map((name) => plainType(name, schema, indent))));
  else if (properties) parts.push(objectType(schema, indent));
  if (parts.length === 0) return 'unknown';
  return parts.length === 1 ? parts[0] : parts.map((part) => (part.includes(' | ') ? `(${part})` : part)).join(' & ');
}

const either = (types) => [...new Set(types)].join(' | ');

function plainType(name, schema, indent) {
  if (name === 'object') return objectType(schema, indent);
  if (name !== 'array') return PLAIN[name];
  const { items = true, prefixItems, minItems, maxItems } = schema;
  if (prefixItems) return `[${prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`;
  const item = typeOf(items, indent);
  // As many items as this are listed in a tuple.
  if (minItems && minItems === maxItems && minItems <= 4) return `[${new Array(minItems).fill(item).join(', ')}]`;
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function objectType({ properties, additionalProperties, required = [] }, indent) {
  if (!properties) return additionalProperties ? `{ [name: string]: ${typeOf(additionalProperties, indent)} }` : '{ [name: string]: unknown }';
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => `${comment(schema, inner)}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};`);
  return `{\n${fields.join('\n')}\n${indent}}`;
}

/** Returns the description of a schema as a comment, for readers without a server. */
function comment({ description }, indent = '') {
  if (!description) return '';
  const text = description.replace(/`\/api\/v1\/(\w+)`/g, "`list('$1')`").replaceAll('*/', '*\\/');
  return `${indent}/** ${text.split('\n').join(`\n${indent} * `)} */\n`;
}

const capital = (name) => name[0].toUpperCase() + name.slice(1);

/** Returns the declarations of a call: its options and its function. */
function declarationOf(name, { summary, requestBody, responses }) {
  const { properties, required } = requestBody.content['application/json'].schema;
  const { content } = responses[200];
  const isStream = !content['application/json'];
  const hasEvents = !isStream && Boolean(content['text/event-stream']);
  const answer = isStream ? 'AsyncGenerator<SolveAnswer, void, undefined>' : `Promise<${typeOf(content['application/json'].schema)}>`;
  const fields = Object.fromEntries(Object.entries(properties).filter(([field]) => !required.includes(field)));
  const options = `${capital(name)}Options`;
  const needs = required.map((field) => `${field}: ${isStream ? 'readonly BoardInput[]' : inputType(properties[field])}`);
  const [head, ...body] = objectType({ properties: fields }, '').split('\n');
  return [
    `/** Options of \`${name}\`. */\nexport interface ${options} extends ${hasEvents ? 'EventOptions' : 'CallOptions'} ${[head, ...body].join('\n').replaceAll('BoardValue', 'BoardInput')}`,
    `/** ${summary.replace(', as JSON Lines', '')} */\nexport function ${name}(${[...needs, `options?: ${options}`].join(', ')}): ${answer};`,
  ].join('\n\n');
}

/** Arguments may be typed arrays and constant lists too. */
const inputType = (schema) => typeOf(schema).replaceAll('BoardValue', 'BoardInput');

const HEAD = `// Made from the description of Loyd's API. Do not edit.

/** A board in any form that Loyd reads: a text, the tiles in reading order, or the tiles of each row. */
export type BoardInput = string | readonly Cell[] | readonly (readonly Cell[])[] | Uint8Array | Uint16Array | Uint32Array;

export interface CallOptions {
  /** Cancels the call, whose search ends. It is rejected with the reason of the signal, an \`AbortError\`. */
  signal?: AbortSignal;
}

export interface EventOptions extends CallOptions {
  /** Is called with each event of the search. */
  onEvent?: (event: Progress) => void;
}

/** A better solution of a search, or its last answer. */
export type Improvement =
  | (Progress & { final: false; moves: string; length: number })
  | (SolveAnswer & { final: true });

/** Yields better and better solutions, and at last the answer of \`solve\`. The search ends if the loop is left. */
export function anytime(board: BoardInput, options?: SolveOptions): AsyncGenerator<Improvement, void, undefined>;

/** Terminates idle workers, which frees their tables. Later calls start new ones. */
export function close(): void;`;

/** Returns the class of errors, which has the fields of the API's faults. */
function faultClass({ description, properties }) {
  const fields = Object.entries(properties).map(([name, schema]) => `${comment(schema, '  ')}  readonly ${name}: ${typeOf(schema)};`);
  return `${comment({ description })}export class Fault extends Error {\n${fields.join('\n')}\n}`;
}

const [server, folder] = argv.slice(2);
const { paths, components: { schemas } } = await (await fetch(new URL('api/v1/openapi.json', server))).json();
const calls = [];
const lists = [];
for (const [path, { get, post }] of Object.entries(paths)) {
  const name = path.split('/').at(-1);
  if (post) calls.push([name, post]);
  else if (get.responses[200].content['application/json']?.schema?.type === 'array') lists.push(name);
}
const definitions = Object.entries(schemas).filter(([name]) => name !== 'Fault').map(([name, schema]) => {
  const known = RENAMED[name] ?? name;
  const type = typeOf(schema);
  return `${comment(schema)}export ${type.startsWith('{') && type.endsWith('}') && !type.includes('\n} ') ? `interface ${known} ${type}` : `type ${known} = ${type};`}`;
});
const list = `/** The names of the lists of choices. */
export type ListName = ${either(lists.map((name) => `'${name}'`))};

/** Returns the available choices: algorithms, heuristics, named goals and so on. */
export function list(name: ListName): Promise<{ name: string; [property: string]: unknown }[]>;`;
const types = [HEAD, ...calls.map(([name, call]) => declarationOf(name, call)), list, faultClass(schemas.Fault), ...definitions];
writeFileSync(join(folder, 'index.d.ts'), `${types.join('\n\n')}\n`);
const needs = calls.map(([name, { requestBody }]) => [name, requestBody.content['application/json'].schema.required ?? []]);
const table = needs.map(([name, fields]) => `  ${name}: ${JSON.stringify(fields)},`).join('\n');
writeFileSync(join(folder, 'engine/calls.js'), `// Made from the description of Loyd's API: the required fields of each call.\nexport const CALLS = {\n${table}\n};\n`);
