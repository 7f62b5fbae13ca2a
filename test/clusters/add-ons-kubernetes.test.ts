import { addOns } from './add-ons.js';
import { startOnKubernetes } from './management.js';

addOns('add-ons and addresses on kube-apiserver and etcd', () => startOnKubernetes());
