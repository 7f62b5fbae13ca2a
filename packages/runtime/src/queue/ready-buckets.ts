/**
 * An item of a bucket. `bucket` is undefined once the item was taken or moved, so that its old entry in the bucket is
 * skipped.
 */
export interface BucketItem {
  bucket: Bucket | undefined;
}

interface Bucket {
  readonly priority: number;
  readonly line: (BucketItem | undefined)[];
  head: number;
  size: number;
}

/** One of this many takes serves the lowest priority, so that many changes cannot starve a resync. */
const fairnessEvery = 8;

/** FIFO within a priority; higher priorities first. There are few priorities, so a sorted list is enough. */
export class ReadyBuckets<Item extends BucketItem> {
  readonly #buckets: Bucket[] = [];
  #size = 0;
  #taken = 0;

  get size(): number {
    return this.#size;
  }

  push(item: Item, priority: number): void {
    const bucket = this.#bucketOf(priority);
    bucket.line.push(item);
    bucket.size += 1;
    item.bucket = bucket;
    this.#size += 1;
  }

  /** Removes an item. Its entry stays in the bucket and is skipped later, which is cheaper than a search. */
  remove(item: Item): void {
    const { bucket } = item;
    if (bucket === undefined) return;
    bucket.size -= 1;
    item.bucket = undefined;
    this.#size -= 1;
    const place = bucket.line.lastIndexOf(item);
    if (place >= 0) bucket.line[place] = undefined;
  }

  priorityOf(item: Item): number | undefined {
    return item.bucket?.priority;
  }

  shift(): Item | undefined {
    if (this.#size === 0) return undefined;
    this.#taken += 1;
    const waiting = this.#buckets.filter((bucket) => bucket.size > 0);
    const bucket = this.#taken % fairnessEvery === 0 ? waiting.at(-1) : waiting[0];
    return bucket === undefined ? undefined : this.#takeFrom(bucket);
  }

  *items(): Iterable<Item> {
    for (const bucket of this.#buckets) {
      for (let index = bucket.head; index < bucket.line.length; index += 1) {
        const item = bucket.line[index];
        if (item !== undefined) yield item as Item;
      }
    }
  }

  sizes(): ReadonlyMap<number, number> {
    return new Map(this.#buckets.map((bucket) => [bucket.priority, bucket.size]));
  }

  #takeFrom(bucket: Bucket): Item {
    for (;;) {
      const item = bucket.line[bucket.head];
      bucket.line[bucket.head] = undefined;
      bucket.head += 1;
      if (item === undefined) continue;
      this.#compact(bucket);
      bucket.size -= 1;
      item.bucket = undefined;
      this.#size -= 1;
      return item as Item;
    }
  }

  #compact(bucket: Bucket): void {
    if (bucket.head === bucket.line.length) {
      bucket.line.length = 0;
      bucket.head = 0;
    } else if (bucket.head > 1024 && bucket.head * 2 > bucket.line.length) {
      bucket.line.splice(0, bucket.head);
      bucket.head = 0;
    }
  }

  #bucketOf(priority: number): Bucket {
    const found = this.#buckets.find((bucket) => bucket.priority === priority);
    if (found !== undefined) return found;
    const bucket: Bucket = { priority, line: [], head: 0, size: 0 };
    this.#buckets.push(bucket);
    this.#buckets.sort((left, right) => right.priority - left.priority);
    return bucket;
  }
}
