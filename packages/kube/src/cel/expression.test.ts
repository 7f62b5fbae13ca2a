import { describe, expect, it } from 'vitest';
import {
  admissionRequestType,
  authorizerType,
  jsonPatchType,
  namespaceObjectType,
  objectType,
  resourceCheckType,
} from './admission-types.js';
import { compileExpression, ExpressionError, LazyMap, patchTypeProblem, toJson } from './expression.js';
import { type AccessQuestion, authorizerValue, requestResourceValue } from './library/index.js';
import { boolType, intType, listType, stringType, structType } from './types/index.js';

const variables = {
  object: 'dyn',
  oldObject: 'dyn',
  request: admissionRequestType,
  namespaceObject: namespaceObjectType,
  authorizer: authorizerType,
  'authorizer.requestResource': resourceCheckType,
} as const;

const pod = {
  metadata: { name: 'a', labels: { team: 'x' } },
  spec: { replicas: 3, containers: [{ name: 'c', image: 'i:1' }] },
};

function evaluate(text: string, bindings: Record<string, never> | Record<string, unknown> = { object: pod }): unknown {
  const result = compileExpression(text, { variables }).evaluate(
    bindings as Parameters<ReturnType<typeof compileExpression>['evaluate']>[0],
  );
  return result.ok ? toJson(result.value) : result.error;
}

describe('admission expressions', () => {
  it.each([
    ['object.spec.replicas <= 5', true],
    ['object.metadata.?labels["team"].orValue("") == "x"', true],
    ['object.spec.containers.all(c, c.image.contains(":"))', true],
    ['has(object.metadata.annotations)', false],
    ['oldObject == null', true],
    ['oldObject.?metadata.hasValue()', false],
    ['optional.of(oldObject).value() == null', true],
    ['object.spec.missing', 'no such key: missing'],
    ['request.operation + " by " + request.userInfo.username', 'CREATE by ann'],
    ['request.userInfo.groups.exists(g, g == "admins")', true],
    ['namespaceObject.metadata.labels["env"]', 'prod'],
    ['object.spec.containers.map(c, {"n": c.name})', [{ n: 'c' }]],
  ])('%s', (text, expected) => {
    const request = { operation: 'CREATE', userInfo: { username: 'ann', groups: ['admins'] } };
    const namespaceObject = { metadata: { labels: { env: 'prod' } } };
    expect(evaluate(text, { object: pod, oldObject: null, request, namespaceObject })).toEqual(expected);
  });

  it.each([
    ['request.unknown', /undefined field 'unknown'/],
    ['object.spec.replicas +', /^compilation failed: ERROR: <input>:1:23: Syntax error/],
    ['params.x', /undeclared reference to 'params'/],
    ['int("x") == 1', /^program instantiation failed: type conversion error from 'string' to 'int'$/],
    ['Object{}', /undeclared reference to 'Object'/],
  ])('rejects %s', (text, expected) => {
    expect(() => compileExpression(text, { variables })).toThrow(expected);
  });

  it('reports the expected type', () => {
    const compile = (): unknown => compileExpression('1 + 1', { variables, returnType: boolType });
    expect(compile).toThrow(new ExpressionError('must evaluate to bool but got int'));
    expect(() => compileExpression('1', { variables, returnType: [boolType, stringType] })).toThrow(
      'must evaluate to one of [bool string] but got int',
    );
  });

  it('compiles an expression once', () => {
    expect(compileExpression('object.x == 1', { variables })).toBe(compileExpression('object.x == 1', { variables }));
  });

  it("stops at the cost limit of an expression and at the caller's budget", () => {
    const numbers = Array.from({ length: 2_000 }, (_item, index) => index);
    const expensive = compileExpression('object.all(x, object.all(y, x + y >= 0))', { variables });
    expect(expensive.evaluate({ object: numbers })).toMatchObject({
      ok: false,
      outOfBudget: true,
      error: 'operation cancelled: actual cost limit exceeded',
    });
    const cheap = compileExpression('object.all(x, x >= 0)', { variables });
    expect(cheap.evaluate({ object: numbers }, 100)).toMatchObject({ ok: false, outOfBudget: true });
  });

  it('does not compute an unused variable', () => {
    const checks: string[] = [];
    const lazy = new LazyMap(
      new Map([
        ['used', () => (checks.push('used'), 7n)],
        ['unused', () => (checks.push('unused'), 8n)],
      ]),
    );
    const type = structType(
      'kubernetes.variables',
      new Map([
        ['used', intType],
        ['unused', intType],
      ]),
    );
    const expression = compileExpression('variables.used + variables.used', { variables: { variables: type } });
    expect(expression.evaluate({ variables: lazy })).toMatchObject({ ok: true, value: 14n });
    expect(checks).toEqual(['used']);
  });
});

describe('the authorizer variable', () => {
  const checks: AccessQuestion[] = [];
  const checker = {
    check(question: AccessQuestion) {
      checks.push(question);
      return { allowed: question.verb === 'get', reason: 'because' };
    },
  };
  const bindings = {
    authorizer: authorizerValue(checker),
    'authorizer.requestResource': requestResourceValue(checker, {
      group: '',
      resource: 'pods',
      subresource: '',
      namespace: 'n',
      name: 'p',
    }),
  };

  it.each([
    ['authorizer.group("apps").resource("deployments").namespace("n").name("d").check("get").allowed()', true],
    ['authorizer.group("apps").resource("deployments").subresource("status").check("create").allowed()', false],
    ['authorizer.path("/healthz").check("get").reason()', 'because'],
    ['authorizer.serviceAccount("n", "s").group("").resource("pods").check("get").allowed()', true],
    ['authorizer.requestResource.check("get").allowed()', true],
    ['authorizer.requestResource.fieldSelector("a=b").labelSelector("c").check("get").errored()', false],
    ['authorizer.path(" ").check("get").allowed()', 'path must not be empty'],
    ['authorizer.serviceAccount("N", "s").path("/x").check("get").allowed()', 'Invalid service account namespace'],
  ])('%s', (text, expected) => {
    expect(evaluate(text, bindings)).toBe(expected);
  });

  it('passes all attributes of the check', () => {
    expect(checks[0]).toEqual({
      verb: 'get',
      serviceAccount: undefined,
      resource: {
        group: 'apps',
        resource: 'deployments',
        subresource: '',
        namespace: 'n',
        name: 'd',
        fieldSelector: '',
        labelSelector: '',
      },
    });
    expect(checks[3]?.serviceAccount).toEqual({ namespace: 'n', name: 's' });
  });

  it('allows two checks in one expression but not three', () => {
    const check = 'authorizer.path("/x").check("get").allowed()';
    expect(evaluate(`${check} && ${check}`, bindings)).toBe(true);
    expect(evaluate(`${check} && ${check} && ${check}`, bindings)).toBe(
      'operation cancelled: actual cost limit exceeded',
    );
  });
});

describe('mutating expressions', () => {
  const options = { variables, patchTypes: true } as const;

  it('constructs an object to apply', () => {
    const text =
      'Object{spec: Object.spec{replicas: object.spec.replicas + 1, labels: {"a": "b"}, ?none: object.?none}}';
    const result = compileExpression(text, { ...options, returnType: objectType() }).evaluate({ object: pod });
    expect(result.ok && toJson(result.value)).toEqual({ spec: { replicas: 4, labels: { a: 'b' } } });
    expect(result.ok && patchTypeProblem(result.value)).toBe(undefined);
  });

  it('reports a type in the wrong field', () => {
    const result = compileExpression('Object{spec: Object.status{a: 1}}', options).evaluate({ object: pod });
    expect(result.ok && patchTypeProblem(result.value)).toBe(
      'unexpected type name "Object.status", expected "Object.spec", which matches field name path from root Object type',
    );
  });

  it('constructs JSON patches', () => {
    const text =
      '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b~c"), value: "x"}, JSONPatch{op: "remove", path: "/spec"}]';
    const result = compileExpression(text, { ...options, returnType: listType(jsonPatchType) }).evaluate({
      object: pod,
    });
    expect(result.ok && toJson(result.value)).toEqual([
      { op: 'add', path: '/metadata/labels/a~1b~0c', value: 'x' },
      { op: 'remove', path: '/spec' },
    ]);
  });

  it.each([
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['JSONPatch{operation: "add"}', "undefined field 'operation'"],
    ['Other{}', "undeclared reference to 'Other'"],
  ])('rejects %s', (text, expected) => {
    expect(() => compileExpression(text, options)).toThrow(expected);
  });
});
