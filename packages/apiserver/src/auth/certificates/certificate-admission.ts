import { deepEqual, forbidden, recordAt } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Authorizer, UserInfo } from '../../contract/index.js';
import {
  certificatesGroup,
  isParsed,
  parseRequest,
  readSigningRequestObject,
  signers,
  signingRequests,
} from './signing-request-object.js';

/**
 * Returns the three admission plugins for CertificateSigningRequests. Their checks depend on the user, so a strategy cannot run
 * them.
 */
export function createCertificateAdmission(authorizer: Authorizer): readonly AdmissionPlugin[] {
  return [approvalPlugin(authorizer), signingPlugin(authorizer), subjectRestrictionPlugin()];
}

function isFor(request: AdmissionRequest, operation: string, subresource: string): boolean {
  return (
    request.operation === operation &&
    request.subresource === subresource &&
    request.resource.resource === signingRequests &&
    request.resource.group === certificatesGroup
  );
}

function refuse(request: AdmissionRequest, why: string): never {
  const name = request.name || request.object?.metadata.name || request.object?.metadata.generateName || 'Unknown';
  throw forbidden(request.resource, name, why);
}

function approvalPlugin(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (request) => isFor(request, 'UPDATE', 'approval'),
    validate(request) {
      const { signerName } = readSigningRequestObject(request.oldObject);
      if (!mayUseSigner(authorizer, request.user, 'approve', signerName))
        refuse(request, `user not permitted to approve requests with signerName "${signerName}"`);
    },
  };
}

function signingPlugin(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (request) => isFor(request, 'UPDATE', 'status'),
    validate(request) {
      const before = recordAt(request.oldObject, 'status');
      const after = recordAt(request.object, 'status');
      const same = (key: string): boolean => deepEqual(before?.[key], after?.[key]);
      if (same('certificate') && same('conditions')) return;
      const { signerName } = readSigningRequestObject(request.oldObject);
      if (!mayUseSigner(authorizer, request.user, 'sign', signerName))
        refuse(request, `user not permitted to sign requests with signerName "${signerName}"`);
    },
  };
}

function subjectRestrictionPlugin(): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    handles: (request) => isFor(request, 'CREATE', ''),
    validate(request) {
      const object = readSigningRequestObject(request.object);
      if (object.signerName !== signers.client) return;
      const parsed = parseRequest(object);
      if (!isParsed(parsed)) refuse(request, `failed to parse CSR: ${parsed.problem}`);
      if (parsed.subject.organizations.includes('system:masters'))
        refuse(request, `use of ${signers.client} signer with system:masters group is not allowed`);
    },
  };
}

/** Whether the user may use the signer. Permission may be granted for one signer or for its whole domain: `example.com/*`. */
function mayUseSigner(
  authorizer: Authorizer,
  user: UserInfo,
  verb: 'approve' | 'sign' | 'attest',
  signerName: string,
): boolean {
  const domain = signerName.split('/', 1)[0] ?? '';
  return [signerName, `${domain}/*`].some((name) => {
    const resource = {
      group: certificatesGroup,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    };
    return authorizer.authorize({ user, verb, resource }).allowed;
  });
}
