export { readImage } from './image-info.js';
export { ImageStore, type NamedImage, type StoredFile, type WantedFile } from './image-store.js';
export { imageCacheBytes, pruneImages } from './prune-images.js';
