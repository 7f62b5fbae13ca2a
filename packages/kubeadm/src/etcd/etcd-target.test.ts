import { describe, expect, it } from 'vitest';
import type { EtcdMember } from './etcd-state.js';
import { type EtcdChange, etcdTarget, quorumOf } from './etcd-target.js';

/** Parses members: `a` is healthy, `a!` is unhealthy, `a?` is a learner, an empty name has not started yet. */
function membersOf(text: string): EtcdMember[] {
  const words = text === '' ? [] : text.split(' ');
  return words.map((word, index) => ({
    id: String(index + 1),
    name: word === '-' ? '' : word.replace(/[!?]$/, ''),
    isLearner: word.endsWith('?'),
    alarms: word.endsWith('!') ? ['NOSPACE'] : [],
  }));
}

interface Row {
  readonly name: string;
  readonly members: string;
  readonly change: EtcdChange;
  readonly then: { voting: number; learners: number; unhealthy: number; quorum: number; isSafe: boolean };
}

function row(name: string, members: string, change: EtcdChange, then: string): Row {
  const [voting = 0, learners = 0, unhealthy = 0, quorum = 0] = then.split(' ').map(Number);
  return {
    name,
    members,
    change,
    then: { voting, learners, unhealthy, quorum, isSafe: then.endsWith('safe') && !then.endsWith('unsafe') },
  };
}

// Voting members, learners, unhealthy members and the quorum after the change (10.5, target state).
const rows: readonly Row[] = [
  row('the first member may come', '', { add: true }, '1 0 0 1 safe'),
  row('the second member may come, as if it were healthy', 'a', { add: true }, '2 0 0 2 safe'),
  row('a second member beside a sick one may not', 'a!', { add: true }, '2 0 1 2 unsafe'),
  row('the third member may come, at worst unhealthy', 'a b', { add: true }, '3 0 1 2 safe'),
  row('a third member beside a sick one may not', 'a b!', { add: true }, '3 0 2 2 unsafe'),
  row('the fourth member may come, at worst unhealthy', 'a b c', { add: true }, '4 0 1 3 safe'),
  row('a fourth member beside a sick one may not', 'a b c!', { add: true }, '4 0 2 3 unsafe'),
  row('the sixth member may come beside a sick one', 'a b c d e!', { add: true }, '6 0 2 4 safe'),
  row('the last member cannot be removed', 'a', { remove: 'a' }, '0 0 0 1 unsafe'),
  row('of two healthy ones one may go', 'a b', { remove: 'a' }, '1 0 0 1 safe'),
  row('of three, one may go when the others are healthy', 'a b c', { remove: 'a' }, '2 0 0 2 safe'),
  row('of three, the sick one may go', 'a b c!', { remove: 'c' }, '2 0 0 2 safe'),
  row('of three, none may go beside the sick one', 'a b c!', { remove: 'a' }, '2 0 1 2 unsafe'),
  row('of five, one may go although another is sick', 'a b c d e!', { remove: 'a' }, '4 0 1 3 safe'),
  row('of five, none may go when two others are sick', 'a b c d! e!', { remove: 'a' }, '4 0 2 3 unsafe'),
  row('of seven, one may go although two are sick', 'a b c d e f! g!', { remove: 'a' }, '6 0 2 4 safe'),
  row('a learner blocks removals', 'a b c d?', { remove: 'a' }, '2 1 0 2 unsafe'),
  row('a learner blocks additions', 'a b c?', { add: true }, '3 1 1 2 unsafe'),
  row('a learner that goes itself does not block', 'a b c?', { remove: 'c' }, '2 0 0 2 safe'),
  row(
    'a member without a name blocks removals, and counts as learner and unhealthy',
    'a b c -',
    { remove: 'a' },
    '2 1 1 2 unsafe',
  ),
  row('a member without a name is not who is to be removed', 'a b -', { remove: '' }, '2 1 1 2 unsafe'),
  row('no member of that name: all stay', 'a b c', { remove: 'd' }, '3 0 0 2 safe'),
  row('one comes and one goes', 'a b c', { add: true, remove: 'a' }, '3 0 1 2 safe'),
  row('one comes and one goes beside a sick one', 'a b c!', { add: true, remove: 'a' }, '3 0 2 2 unsafe'),
  row('no change asks whether there is a quorum now', 'a b c!', {}, '3 0 1 2 safe'),
  row('no quorum now', 'a b! c!', {}, '3 0 2 2 unsafe'),
];

describe('learners and unnamed members block operations; the quorum is that of the target state [14.33]', () => {
  it.each(rows)('$name', ({ members, change, then }) => {
    expect(etcdTarget({ members: membersOf(members) }, change, ({ alarms }) => alarms.length === 0)).toEqual(then);
  });

  it('computes the quorum', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(quorumOf)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  });
});
