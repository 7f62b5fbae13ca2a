import { catchMutation } from './catch-mutation.js';
import { mutations } from './mutations.js';

// Every mutation, or those whose names are given: `npm run sim:mutations -- stale-cache`.
const wanted = process.argv.slice(2);
const chosen = mutations.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let missed = chosen.length === 0 ? 1 : 0;
for (const mutation of chosen) {
  const { caught, said } = await catchMutation(mutation);
  if (!caught) missed += 1;
  process.stdout.write(`${caught ? 'caught' : 'MISSED'} ${mutation.name} (${mutation.mistake})\n    ${said}\n`);
}
process.stdout.write(`${chosen.length} mutations, ${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
