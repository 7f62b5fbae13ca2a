import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, StatusError } from '@slipway/kube';
import { configMap, isOfTest, refusalOf, TestServer, testSelector } from '../test-support.js';

let server: TestServer;
const configured: object[] = [];

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(() => {
  server.warnings.length = 0;
});
afterEach(async () => {
  for (const object of configured.splice(0)) await server.remove(object);
  for (const object of await server.list(configMap(''))) if (isOfTest(object)) await server.remove(object);
});
afterAll(() => server.stop());

const apiVersion = 'admissionregistration.k8s.io/v1';
const matchConstraints = {
  objectSelector: testSelector,
  resourceRules: [
    { operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
  ],
};

async function configure(kind: string, name: string, spec: object): Promise<void> {
  const object = { apiVersion, kind, metadata: { name }, spec };
  await server.create(object);
  configured.push(object);
}

async function validating(spec: object, binding: object = {}): Promise<void> {
  await configure('ValidatingAdmissionPolicy', 'p', { matchConstraints, ...spec });
  await configure('ValidatingAdmissionPolicyBinding', 'b', {
    policyName: 'p',
    validationActions: ['Deny'],
    ...binding,
  });
}

async function mutating(spec: object, binding: object = {}): Promise<void> {
  await configure('MutatingAdmissionPolicy', 'm', { matchConstraints, reinvocationPolicy: 'Never', ...spec });
  await configure('MutatingAdmissionPolicyBinding', 'mb', { policyName: 'm', ...binding });
}

const denied = "configmaps \"one\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

describe('ValidatingAdmissionPolicy', () => {
  const rows: [string, object, string | undefined][] = [
    ['allows if the expression is true', { validations: [{ expression: 'object.data.key == "value"' }] }, undefined],
    [
      'denies without a message if the expression is false',
      { validations: [{ expression: 'object.data.key != "value"' }] },
      'failed expression: object.data.key != "value"',
    ],
    ['denies with the message', { validations: [{ expression: 'false', message: ' no way ' }] }, 'no way'],
    [
      'denies with the result of messageExpression',
      { validations: [{ expression: 'false', message: 'fixed', messageExpression: '"got " + object.data.key' }] },
      'got value',
    ],
    [
      'uses the message if messageExpression fails',
      { validations: [{ expression: 'false', message: 'fixed', messageExpression: 'object.data.missing' + ' + ""' }] },
      'fixed',
    ],
    [
      'uses the message if messageExpression has several lines',
      { validations: [{ expression: 'false', message: 'fixed', messageExpression: '"a\\nb"' }] },
      'fixed',
    ],
    [
      'denies if the expression fails',
      { validations: [{ expression: 'object.data.missing == "x"' }] },
      'expression \'object.data.missing == "x"\' resulted in error: no such key: missing',
    ],
    [
      'allows if the expression fails and failurePolicy is Ignore',
      { failurePolicy: 'Ignore', validations: [{ expression: 'object.data.missing == "x"' }] },
      undefined,
    ],
    [
      'evaluates variables',
      {
        variables: [
          { name: 'key', expression: 'object.data.key' },
          { name: 'size', expression: 'size(variables.key)' },
        ],
        validations: [{ expression: 'variables.size > 5', messageExpression: '"size is " + string(variables.size)' }],
      },
      'size is 5',
    ],
    [
      'ignores a failing variable that is not used',
      {
        variables: [{ name: 'broken', expression: 'object.data.missing' }],
        validations: [{ expression: 'true || variables.broken == "x"' }],
      },
      undefined,
    ],
    ['provides null as the old object on create', { validations: [{ expression: 'oldObject == null' }] }, undefined],
    [
      'provides the request',
      { validations: [{ expression: 'request.userInfo.username == "bob"', message: 'only bob' }] },
      'only bob',
    ],
    [
      'provides the namespace',
      { validations: [{ expression: 'namespaceObject.metadata.name == "default"' }] },
      undefined,
    ],
    [
      'provides the authorizer',
      { validations: [{ expression: 'authorizer.requestResource.check("create").allowed()' }] },
      undefined,
    ],
    [
      'skips the policy if its conditions do not match',
      {
        matchConditions: [{ name: 'other', expression: 'request.name == "other"' }],
        validations: [{ expression: 'false' }],
      },
      undefined,
    ],
    [
      'denies if a condition fails',
      {
        matchConditions: [{ name: 'broken', expression: 'object.data.missing == "x"' }],
        validations: [{ expression: 'true' }],
      },
      'expression \'object.data.missing == "x"\' resulted in error: no such key: missing',
    ],
    [
      'denies if an audit annotation fails',
      { auditAnnotations: [{ key: 'a', valueExpression: 'object.data.missing + ""' }] },
      'expression \'object.data.missing + ""\' resulted in error: no such key: missing',
    ],
  ];
  it.each(rows)('%s', async (_name, spec, message) => {
    await validating(spec);
    const refusal = await refusalOf(server.create(configMap('one', { key: 'value' })));
    expect(refusal).toEqual(
      message === undefined ? undefined : { code: 422, reason: 'Invalid', message: `${denied}${message}` },
    );
  });

  it.each([
    ['Unauthorized', 401],
    ['Forbidden', 403],
    ['RequestEntityTooLarge', 413],
    ['Invalid', 422],
  ])('denies with the reason %s and the code %d', async (reason, code) => {
    await validating({ validations: [{ expression: 'false', message: 'no', reason }] });
    const error = (await server.create(configMap('one')).catch((thrown: unknown) => thrown)) as StatusError;
    expect([error.code, error.reason, error.message]).toEqual([code, reason, `${denied}no`]);
    expect(error.details).toEqual({
      name: 'one',
      kind: 'configmaps',
      causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no" }],
    });
  });

  it('does nothing without a binding', async () => {
    await configure('ValidatingAdmissionPolicy', 'p', { matchConstraints, validations: [{ expression: 'false' }] });
    expect(await refusalOf(server.create(configMap('one')))).toBeUndefined();
  });

  it('only warns if the binding has the Warn action', async () => {
    await validating(
      { validations: [{ expression: 'false', message: 'no' }] },
      { validationActions: ['Warn', 'Audit'] },
    );
    expect(await refusalOf(server.create(configMap('one')))).toBeUndefined();
    expect(server.warnings).toEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no"]);
  });

  it('applies only to requests that its binding matches and its exclusions do not', async () => {
    const spec = { validations: [{ expression: 'false' }] };
    await validating(spec, { matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } } });
    expect(await refusalOf(server.create(configMap('one')))).toBeUndefined();
    expect((await refusalOf(server.create(configMap('two', {}, { strict: 'yes' }))))?.code).toBe(422);
  });

  it('excludes requests by name', async () => {
    const excluded = { ...matchConstraints.resourceRules[0], resourceNames: ['free'] };
    await validating({
      matchConstraints: { ...matchConstraints, excludeResourceRules: [excluded] },
      validations: [{ expression: 'false' }],
    });
    expect(await refusalOf(server.create(configMap('free')))).toBeUndefined();
    expect((await refusalOf(server.create(configMap('bound'))))?.code).toBe(422);
  });

  it('provides the old object when an object is deleted', async () => {
    await server.create(configMap('kept', { keep: 'yes' }));
    await validating({
      validations: [{ expression: 'request.operation != "DELETE" || !("keep" in oldObject.data)', message: 'kept' }],
    });
    expect((await refusalOf(server.delete(configMap('kept'))))?.message).toMatch(/denied request: kept$/);
  });

  it('reports the observed generation and type checking warnings in its status', async () => {
    await configure('ValidatingAdmissionPolicy', 'typed', {
      matchConstraints,
      validations: [{ expression: 'object.data.size() > 0' }, { expression: 'object.nothing == "x"' }],
    });
    const policy = await settled({ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'typed' } });
    expect(policy['status']).toEqual({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[1].expression',
            warning: expect.stringMatching(
              /^\/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'nothing'/,
            ) as unknown,
          },
        ],
      },
    });
  });
});

/** Returns the policy after the controller wrote its status. */
function settled(object: object): Promise<KubeObject> {
  const target = object as KubeObject;
  const range = {
    resource: 'admissionregistration.k8s.io/validatingadmissionpolicies',
    name: target.metadata.name ?? '',
  };
  return new Promise((resolve) => {
    const watch = server.store.watch({ ...range, namespace: '' }, 0, ({ current }) => {
      if (!Object.hasOwn((current.object['status'] ?? {}) as object, 'observedGeneration')) return;
      queueMicrotask(() => watch.dispose());
      resolve(current.object as KubeObject);
    });
  });
}

describe('policy parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const spec = {
    paramKind,
    matchConstraints: {
      resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
    },
    validations: [{ expression: 'object.metadata.name != params.data.forbidden', message: 'forbidden name' }],
  };
  const secret = (name: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default' },
  });

  const rows: [string, object | undefined, string, string | undefined][] = [
    ['selects a parameter by name', { name: 'param', parameterNotFoundAction: 'Deny' }, 'a', 'forbidden name'],
    ['selects a parameter by name and allows', { name: 'param', parameterNotFoundAction: 'Deny' }, 'c', undefined],
    [
      'evaluates every parameter that a selector matches',
      { selector: { matchLabels: { param: 'yes' } }, parameterNotFoundAction: 'Deny' },
      'b',
      'forbidden name',
    ],
    [
      'denies if the parameter is missing and parameterNotFoundAction is Deny',
      { name: 'missing', parameterNotFoundAction: 'Deny' },
      'a',
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      'allows if the parameter is missing and parameterNotFoundAction is Allow',
      { name: 'missing', parameterNotFoundAction: 'Allow' },
      'a',
      undefined,
    ],
  ];
  it.each(rows)('%s', async (_name, paramRef, name, message) => {
    await server.create(configMap('param', { forbidden: 'a' }, { param: 'yes' }));
    await server.create(configMap('param2', { forbidden: 'b' }, { param: 'yes' }));
    await validating(spec, { paramRef });
    const refusal = await refusalOf(server.create(secret(name)));
    await server.remove(secret(name));
    expect(refusal?.message).toBe(
      message === undefined
        ? undefined
        : `secrets "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}`,
    );
  });

  it('reports an unknown parameter kind as a configuration error', async () => {
    await validating(
      { ...spec, paramKind: { apiVersion: 'example.com/v1', kind: 'Nothing' } },
      { paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } },
    );
    expect((await refusalOf(server.create(secret('a'))))?.message).toMatch(
      /failed to configure binding: paramKind kind `&ParamKind\{APIVersion:example.com\/v1,Kind:Nothing,\}` not known$/,
    );
  });
});

describe('MutatingAdmissionPolicy', () => {
  const apply = (expression: string): object => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  });
  const json = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

  const rows: [string, object[], Record<string, string>][] = [
    ['merges an apply configuration', [apply('Object{data: {"added": "x"}}')], { key: 'value', added: 'x' }],
    [
      'applies a JSON patch',
      [json('[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("added"), value: object.data.key}]')],
      { key: 'value', added: 'value' },
    ],
    [
      'applies mutations one after the other',
      [apply('Object{data: {"one": "1"}}'), json('[JSONPatch{op: "add", path: "/data/two", value: object.data.one}]')],
      { key: 'value', one: '1', two: '1' },
    ],
    [
      'skips a patch whose test operation fails',
      [
        json(
          '[JSONPatch{op: "test", path: "/data/key", value: "other"}, JSONPatch{op: "add", path: "/data/added", value: "x"}]',
        ),
      ],
      { key: 'value' },
    ],
  ];
  it.each(rows)('%s', async (_name, mutations, data) => {
    await mutating({ mutations });
    expect((await server.create(configMap('one', { key: 'value' })))['data']).toEqual(data);
  });

  it('runs before validating policies see the object', async () => {
    await mutating({ mutations: [apply('Object{data: {"added": "x"}}')] });
    await validating({ validations: [{ expression: 'object.data.added == "x"' }] });
    expect(await refusalOf(server.create(configMap('one')))).toBeUndefined();
  });

  const failures: [string, object, string][] = [
    [
      'fails to evaluate',
      { mutations: [apply('Object{data: {"added": object.data.missing}}')] },
      'expression \'Object{data: {"added": object.data.missing}}\' resulted in error: no such key: missing',
    ],
    [
      'patches a path that does not exist',
      { mutations: [json('[JSONPatch{op: "remove", path: "/data/missing"}]')] },
      'JSONPath: Unable to remove nonexistent key: missing',
    ],
    [
      'constructs the wrong type',
      { mutations: [apply('Object{metadata: Object.data{}}')] },
      'type mismatch: unexpected type name "Object.data", expected "Object.metadata"',
    ],
    [
      'sets an undeclared field',
      { mutations: [apply('Object{nothing: "x"}')] },
      'error applying patch: failed to convert patch object to typed object: .nothing: field not declared in schema',
    ],
  ];
  it.each(failures)(
    'rejects the request if a mutation %s, unless failurePolicy is Ignore',
    async (_name, spec, message) => {
      await mutating(spec);
      const refusal = await refusalOf(server.create(configMap('one', { key: 'value' })));
      const text = `policy 'm' with binding 'mb' denied request: ${message}`;
      expect(refusal).toMatchObject({ code: 403, reason: 'Invalid' });
      expect(refusal?.message.slice(0, text.length)).toBe(text);
      for (const object of configured.splice(0)) await server.remove(object);
      await mutating({ ...spec, failurePolicy: 'Ignore' });
      expect(await refusalOf(server.create(configMap('one', { key: 'value' })))).toBeUndefined();
    },
  );

  it('is reinvoked if its reinvocationPolicy is IfNeeded and a later policy changed the object', async () => {
    const policy = (name: string, reinvocationPolicy: string, expression: string): Promise<void> =>
      configure('MutatingAdmissionPolicy', name, {
        matchConstraints,
        reinvocationPolicy,
        mutations: [apply(expression)],
      });
    const bind = (name: string): Promise<void> =>
      configure('MutatingAdmissionPolicyBinding', name, { policyName: name });
    await policy('a', 'IfNeeded', 'Object{data: {"seen": has(object.data.late) ? "late" : "early"}}');
    await policy('b', 'Never', 'Object{data: {"late": "yes"}}');
    await bind('a');
    await bind('b');
    expect((await server.create(configMap('one', { key: 'x' })))['data']).toEqual({
      key: 'x',
      late: 'yes',
      seen: 'late',
    });
  });
});
