export { GarbageCollector } from './garbage-collector.js';
