export { readImage } from './image-info.js';
export { ImageStore, type NamedImage, type StoredFile, type RequiredFile } from './image-store.js';
export { imageCacheBytes, pruneImages } from './prune-images.js';
