import { type EtcdConnection, etcdRefusal } from '@slipway/kubeadm';
import { CallError, type CallContext, callStatus, etcdCalls } from './etcd-calls.js';

/** The calls of a member by function call: no TLS, no HTTP/2, and so the same order of events every time. */
export function connectDirectly(context: CallContext): EtcdConnection {
  return {
    async call(rpc, request, { step, signal }) {
      signal.throwIfAborted();
      try {
        const handler = etcdCalls.get(rpc.path);
        if (handler === undefined) throw new CallError(callStatus.unimplemented, `unknown method ${rpc.path}`);
        return rpc.response.decode(await handler(context, rpc.request.encode(request)));
      } catch (error) {
        if (error instanceof CallError) throw etcdRefusal(String(error.status), error.message, step);
        throw error;
      }
    },
    close: () => undefined,
  };
}
