import { catchMutation } from './catch-mutation.js';
import { mutations } from './mutations.js';

// Runs all mutations, or those with the given names: `npm run sim:mutations -- stale-cache`.
const selected = process.argv.slice(2);
const chosen = mutations.filter(({ name }) => selected.length === 0 || selected.includes(name));
let missed = chosen.length === 0 ? 1 : 0;
for (const mutation of chosen) {
  const { caught, summary: output } = await catchMutation(mutation);
  if (!caught) missed += 1;
  process.stdout.write(`${caught ? 'caught' : 'MISSED'} ${mutation.name} (${mutation.bug})\n    ${output}\n`);
}
process.stdout.write(`${chosen.length} mutations, ${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
