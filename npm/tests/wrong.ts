// Each statement is an error of types.
import { anytime, hint, solve } from 'loyd';

await solve({ width: 3 });
await solve('2 3 4/1 5 0/7 6 8', { metrics: 'mtm' });
const length: string = (await hint('2 3 4/1 5 0/7 6 8')).length;
for (const found of anytime('2 3 4/1 5 0/7 6 8')) console.log(found, length);
