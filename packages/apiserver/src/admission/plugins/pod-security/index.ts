export { podSecurityPlugin } from './pod-security.js';
