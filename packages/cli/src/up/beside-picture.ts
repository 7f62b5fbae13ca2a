import type { Picture } from '../follow/follow-tree.js';

/** The log of a process that draws on the same terminal: its lines go above the picture while there is one. */
export class BesidePicture {
  #picture: Picture | undefined;

  use(picture: Picture | undefined): void {
    this.#picture = picture;
  }

  write(text: string): void {
    if (this.#picture === undefined) process.stderr.write(text);
    else this.#picture.above(text);
  }
}
