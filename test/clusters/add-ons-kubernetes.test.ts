import { addOns } from './add-ons.js';
import { startOnKubernetes } from './management.js';

addOns('on kube-apiserver and etcd', () => startOnKubernetes());
