/** A command line without `kubectl`, run against both servers. */
export interface Command {
  readonly line: string;
  readonly input?: string;
  /** The edit as a sed expression. */
  readonly edit?: string;
  /** Whether only the exit code is compared, because the output depends on timing. */
  readonly exitCodeOnly?: boolean;
  /** Whether the command is retried until it succeeds, to wait for a controller. */
  readonly eventually?: boolean;
}

const lines = (text: string): readonly Command[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ line }));

const certificateRequest = (request: string): string =>
  JSON.stringify({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'client' },
    spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
  });

/** Returns the commands in order: later ones depend on earlier ones. `%` is the directory of the manifests. */
export function commands(request: string): readonly Command[] {
  return [
    { line: 'create namespace work' },
    { line: 'config set-context --current --namespace work', exitCodeOnly: true },
    { line: 'get serviceaccount default -n work -o name', eventually: true },
    { line: 'get configmap kube-root-ca.crt -n work -o name', eventually: true },
    ...lines(`
      get all
      apply -f %/web.yaml --dry-run=client
      apply -f %/web.yaml --dry-run=server
      diff -f %/web.yaml
      apply -f %/web.yaml
      apply -f %/web.yaml
      get deployments
      get deployments -o wide
      get deployment web -o yaml
      get deployment web -o json
      get deployment web -o jsonpath={.spec.template.spec.containers[0].image}
      get deployment web -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image
      get deployment web -o go-template={{.metadata.name}}
      get deployment web --show-labels --no-headers
      get deployment web -L app
      get deploy,svc,cm -l app=web
      get deployment absent
      get nonsense
      get deployments.apps
      get deployments.v1.apps web -o name
      get cm web -o yaml --show-managed-fields
    `),
    // The description of a Service shows whether its endpoints exist.
    {
      line: 'get endpointslices -l kubernetes.io/service-name=web -o jsonpath={.items[*].addressType}',
      eventually: true,
    },
    ...lines(`
      describe deployment web
      describe configmap web
      describe service web
      describe namespace work
      get all
      diff -f %/web-changed.yaml
      apply -f %/web-changed.yaml
      get deployment web -o jsonpath={.spec.replicas}
      apply -f %/web.yaml --server-side
      apply -f %/web.yaml --server-side --force-conflicts
      apply -f %/web-changed.yaml --server-side --field-manager=other
      diff -f %/web-changed.yaml --server-side --force-conflicts
      patch deployment web -p {"spec":{"replicas":4}}
      patch deployment web --type=merge -p {"metadata":{"annotations":{"a":"b"}}}
      patch deployment web --type=json -p [{"op":"replace","path":"/spec/replicas","value":5}]
      patch deployment web --type=json -p [{"op":"test","path":"/spec/replicas","value":9}]
      patch deployment web --type=strategic -p {"spec":{"template":{"spec":{"containers":[{"name":"web","image":"example.com/web:v9"}]}}}}
      patch deployment web --subresource=scale --type=merge -p {"spec":{"replicas":2}}
      patch deployment web -p {"spec":{"replicas":-4}}
      scale deployment web --replicas=6
      scale deployment web --replicas=7 --current-replicas=1
      set image deployment/web web=example.com/web:v10
      set env deployment/web B=2
      set resources deployment web --limits=cpu=200m
      label deployment web tier=front
      label deployment web tier=back
      label deployment web tier=back --overwrite
      label deployment web tier-
      label deployment web bad=value!
      annotate deployment web note=hello
      annotate deployment web note-
      annotate deployment web note=again --resource-version=1
      autoscale deployment web --max=5 --cpu=80%
      get hpa
      expose deployment web --name=exposed --port=80 --dry-run=server -o yaml
      create configmap made --from-literal=a=b
      create configmap made --from-literal=a=b
      create secret generic made --from-literal=a=b
      get secrets
      describe secret made
      create -f %/invalid.yaml
      create -f %/invalid.yaml --validate=warn
      create -f %/invalid.yaml --validate=ignore
      replace -f %/invalid.yaml --validate=ignore
      create deployment made --image=example.com/i:v1
      create service clusterip made --tcp=80:80
      create role reader --verb=get,list --resource=configmaps
      create rolebinding reader --role=reader --user=jane
      describe role reader
      describe rolebinding reader
      get roles,rolebindings
      create clusterrole counter --verb=get --resource=nodes
      create quota small --hard=configmaps=50
      create serviceaccount robot
      describe serviceaccount robot
    `),
    // A RoleBinding takes effect after a delay.
    { line: 'auth can-i list configmaps --as=jane', eventually: true },
    ...lines(`
      auth can-i delete configmaps --as=jane
      auth can-i create pods
      auth can-i --list --as=jane
      auth whoami
      auth whoami --as=jane --as-group=people
      auth reconcile -f %/web.yaml
      create token robot --duration=20m
      create token absent
      api-versions
      explain deployment.spec.replicas
      explain deployment.spec.nonsense
      explain pod.spec.containers.ports --recursive
      explain configmaps
      apply -f %/crontab-definition.yaml
      wait --for=condition=Established crd/crontabs.stable.example.com --timeout=120s
    `),
    { line: 'get crontabs', eventually: true },
    ...lines(`
      get crd
      apply -f %/crontab.yaml
      get crontabs
      get ct my-crontab -o wide
      get ct my-crontab -o yaml
      describe crontab my-crontab
    `),
    { line: 'explain crontab', eventually: true },
    ...lines(`
      explain crontab.spec
      explain crontab.spec.cronSpec
      patch crontab my-crontab --type=merge -p {"spec":{"replicas":20}}
      patch crontab my-crontab --type=merge -p {"spec":{"replicas":2}}
      patch crontab my-crontab -p {"spec":{"replicas":3}}
      patch crontab my-crontab --subresource=status --type=merge -p {"status":{"replicas":2,"conditions":[{"type":"Ready","status":"True"}]}}
      wait --for=condition=Ready crontab/my-crontab --timeout=10s
      wait --for=jsonpath={.spec.replicas}=2 crontab/my-crontab --timeout=10s
      wait --for=condition=Ready crontab/my-crontab-absent --timeout=1s
      scale crontab my-crontab --replicas=4
      get crontabs -o jsonpath={.items[*].spec.replicas}
      apply -f %/pod.yaml
      get pods
      get pods -o wide
      describe pod lonely
      get pods --field-selector=status.phase=Pending -o name
      get pods --field-selector=spec.nonsense=x
      get pods -A -l app=lonely
      wait --for=condition=Ready pod/lonely --timeout=1s
      delete pod lonely --wait=false
      get events --field-selector=reason=Nothing
      get namespaces
      get nodes
      get events -A --field-selector=type=Nothing
      cluster-info
      version
    `),
    { line: 'edit configmap web', edit: 's/key: other/key: edited/' },
    { line: 'get configmap web -o jsonpath={.data}' },
    { line: 'edit deployment web', edit: 's/replicas: [0-9]*/replicas: 1/' },
    { line: 'edit deployment web', edit: 's/nothing/nothing/' },
    { line: 'edit crontab my-crontab', edit: 's/my-image/edited-image/' },
    { line: 'get crontab my-crontab -o jsonpath={.spec.image}' },
    { line: 'apply view-last-applied configmap/web' },
    { line: 'create -f -', input: certificateRequest(request) },
    { line: 'get csr client -o jsonpath={.spec.username}' },
    { line: 'certificate approve client' },
    { line: 'get csr client -o jsonpath={.status.certificate}', eventually: true },
    { line: 'get csr' },
    { line: 'certificate deny client' },
    ...lines(`
      delete csr client
      delete configmap made
      delete configmap made
      delete configmap made --ignore-not-found
      delete deployment made --cascade=orphan
      delete secret made --cascade=foreground
      delete crontab my-crontab --cascade=background
      delete -f %/web.yaml
      delete configmaps --all --dry-run=server
      delete rolebinding,role --all
      delete crd crontabs.stable.example.com
      get crontabs
      delete namespace work
      get namespace work
      get all -n work
    `),
  ];
}
