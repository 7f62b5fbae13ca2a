import { type EtcdConnection, etcdRefusal } from '@slipway/kubeadm';
import { CallError, type CallContext, callStatus, etcdCalls } from './etcd-calls.js';

/** Connects to an etcd member by function calls, without TLS and HTTP/2, so that the order of events is deterministic. */
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
