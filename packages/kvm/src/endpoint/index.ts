export * from './haproxy/index.js';
