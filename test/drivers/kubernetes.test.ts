import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { driverStories } from './driver-stories.js';

driverStories('on kube-apiserver and etcd', () => startRealKubeApiserver());
