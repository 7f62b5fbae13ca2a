/** The promises that every run must keep. */
export type InvariantName =
  | 'no acknowledged write is lost'
  | 'no machine too many'
  | 'a move changes nothing'
  | 'etcd keeps its quorum'
  | 'only the leader writes'
  | 'every write is a recorded change'
  | 'what is not ready says why'
  | 'everything converges'
  | 'nothing writes at rest'
  | 'deletion leaves nothing'
  | 'no mistake of ours'
  | 'time goes on';

export class Violation extends Error {
  constructor(
    readonly invariant: InvariantName,
    readonly detail: string,
  ) {
    super(`${invariant}: ${detail}`);
    this.name = 'Violation';
  }
}
