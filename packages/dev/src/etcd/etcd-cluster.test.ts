import { describe, expect, it } from 'vitest';
import { EtcdCluster } from './etcd-cluster.js';

function clusterOf(...names: readonly string[]): EtcdCluster {
  const etcd = new EtcdCluster('default/one');
  for (const name of names) etcd.start(name, `uid of ${name}`, '10.0.0.1');
  return etcd;
}

const namesOf = (etcd: EtcdCluster): string[] => etcd.members.map(({ name }) => name);
const idOf = (etcd: EtcdCluster, name: string): bigint => etcd.members.find((member) => member.name === name)?.id ?? 0n;

describe('a simulated etcd', () => {
  it('is led by its first member', () => {
    expect(clusterOf('a', 'b', 'c').leader?.name).toBe('a');
  });

  it('gives a machine the same member ID after a restart, and another machine of its name another', () => {
    expect(idOf(clusterOf('a'), 'a')).toBe(idOf(clusterOf('b', 'a'), 'a'));
    const other = new EtcdCluster('default/one');
    other.start('a', 'another uid', '10.0.0.1');
    expect(idOf(other, 'a')).not.toBe(idOf(clusterOf('a'), 'a'));
  });

  it('keeps the member of a deleted machine, and loses its quorum with too many of them', () => {
    const etcd = clusterOf('a', 'b', 'c');
    etcd.stop('a');
    expect(namesOf(etcd)).toEqual(['a', 'b', 'c']);
    expect(etcd.leader?.name).toBe('b');
    expect(etcd.hasQuorum).toBe(true);
    etcd.stop('b');
    expect(etcd.hasQuorum).toBe(false);
  });

  it('does not re-add a removed member while its machine still runs', () => {
    const etcd = clusterOf('a', 'b');
    expect(etcd.remove(idOf(etcd, 'a'))).toBe(true);
    expect(etcd.start('a', 'uid of a', '10.0.0.1')).toBeUndefined();
    expect(namesOf(etcd)).toEqual(['b']);
    expect(etcd.leader?.name).toBe('b');
    expect(etcd.running('a')).toBeUndefined();
    expect(etcd.remove(1n)).toBe(false);
  });

  it('moves leadership to a running member, in a new term', () => {
    const etcd = clusterOf('a', 'b', 'c');
    etcd.stop('c');
    const { term } = etcd;
    expect(etcd.moveLeader(idOf(etcd, 'c'))).toBe(false);
    expect(etcd.moveLeader(idOf(etcd, 'b'))).toBe(true);
    expect(etcd.leader?.name).toBe('b');
    expect(etcd.term).toBe(term + 1n);
  });

  it('starts a new cluster with the first machine after all members were removed', () => {
    const etcd = clusterOf('a');
    etcd.stop('a');
    etcd.start('b', 'uid of b', '10.0.0.2');
    expect(namesOf(etcd)).toEqual(['b']);
    expect(etcd.leader?.name).toBe('b');
    expect(etcd.hasQuorum).toBe(true);
  });

  it('recovers when its members run again', () => {
    const etcd = clusterOf('a', 'b');
    etcd.stop('a');
    etcd.stop('b');
    etcd.start('b', 'uid of b', '10.0.0.1');
    expect(namesOf(etcd)).toEqual(['a', 'b']);
    expect(etcd.hasQuorum).toBe(false);
  });

  it('has no quorum without members', () => {
    expect(clusterOf().hasQuorum).toBe(false);
  });
});
