import { textAt } from '@slipway/cluster-api';
import { kubectlArguments, refOf } from '../../objects/index.js';
import { causes, reportedProblem } from '../../why/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

/** Reports infrastructure that is blocked or failing, once per cause and message: an unreachable vCenter affects many objects. */
export function checkInfrastructure({ set }: Facts): Diagnosis[] {
  const groups = new Map<string, { count: number; readonly diagnosis: Diagnosis }>();
  for (const object of set.objects) {
    const problem = reportedProblem(object);
    if (problem === undefined) continue;
    const { cause, condition } = problem;
    const server = textAt(object, 'spec', 'server') ?? '';
    const key = cause === 'VCenterUnreachable' ? `${cause} ${server}` : `${cause} ${condition.message}`;
    const known = groups.get(key);
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const where = refOf(object);
    const what = `${causes[cause].means} ${condition.message.split('\n')[0] ?? ''}`.trimEnd();
    const remedy = `\`slipway why ${kubectlArguments(where)}\``;
    const diagnosis: Diagnosis = { area: 'infrastructure', severity: 'error', what, where, remedy };
    groups.set(key, { count: 1, diagnosis });
  }
  return [...groups.values()].map(({ count, diagnosis }) =>
    count === 1 ? diagnosis : { ...diagnosis, what: `${diagnosis.what} (${count} objects)` },
  );
}

const effects: Readonly<Record<Facts['webhooks'][number]['purpose'], string>> = {
  admission: 'the API server rejects the requests that match this webhook',
  conversion: 'the API server rejects requests for these objects in other versions than the stored one',
  extension: 'Clusters that require this runtime extension are neither created nor upgraded',
};

/** Reports webhooks without ready endpoints: they reject every request that needs them. */
export function checkWebhooks({ webhooks }: Facts): Diagnosis[] {
  return webhooks.flatMap(({ object, purpose, name, service, isRequired, hasEndpoints }): Diagnosis[] => {
    if (hasEndpoints) return [];
    const [namespace = '', serviceName = ''] = service.split('/');
    const effect = isRequired ? effects[purpose] : 'the API server skips this webhook';
    return [
      {
        area: 'webhooks',
        severity: isRequired ? 'error' : 'warning',
        what: `Service ${service} of the webhook ${name} has no ready endpoints: ${effect}`,
        where: object,
        remedy: `\`kubectl get endpointslices -n ${namespace} -l kubernetes.io/service-name=${serviceName}\``,
      },
    ];
  });
}
