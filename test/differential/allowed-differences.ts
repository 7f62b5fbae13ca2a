export interface AllowedDifference {
  /** Matches `script: step`. */
  readonly step?: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

/** Known differences from kube-apiserver. The test fails for an entry that no step matches. */
export const allowedDifferences: readonly AllowedDifference[] = [
  {
    path: /columnDefinitions\[\d+\]\.description$/,
    reason: 'prose about a column: clients print none of it, and ours is our own',
  },
  {
    step: /: (another kind|an unknown kind|another version|another group|delete with a foreign body)$/,
    path: /^body\.message$/,
    reason: "names Go's packages and source lines",
  },
  {
    step: /: (a list form of one object|one-object form of a list)$/,
    path: /^body\.message$/,
    reason: "names Go's packages",
  },
  {
    step: /: (bad YAML|broken YAML)$/,
    path: /^body\.message$/,
    reason: 'the YAML parser says in its own words what is wrong',
  },
  {
    step: /^(apply: a duplicate key|field validation: a custom object in YAML, strict)$/,
    path: /^(headers\.warning|body\.message)$/,
    reason: 'reported as for JSON bodies, by path instead of by line',
  },
  {
    step: /^(objects|custom resources|field validation): .*patch/,
    path: /^body\.(message|details\.causes\[0\]\.message)$/,
    reason: 'the patched object is quoted whole; its keys come in another order',
  },
  {
    step: /^objects: (update that changes server-owned fields|merge patch of the uid)$/,
    path: /^body\.details\.causes$/,
    reason: 'kube-apiserver checks metadata twice and lists the same cause twice',
  },
  {
    step: /^objects: (nulls|GET .*configmaps|list as .*)$/,
    path: /^body\.(binaryData|metadata\.managedFields|items|rows)/,
    reason: 'a null value in a map of bytes is left out instead of kept as empty bytes',
  },
  {
    step: /: (definition refusals|no storage version|two storage versions|one version twice|a bad version name|nothing)$/,
    path: /^body\.(message|details\.causes)/,
    reason: "prints Go's internal struct of a definition",
  },
  {
    step: /Persistent/,
    path: /finalizers|deletion/,
    reason: 'no protection finalizers: there is no volume controller here that would ever remove them',
  },
  {
    step: /^workload kinds: DaemonSet ds: table$/,
    path: /annotations$/,
    reason: 'kube-apiserver forgets the annotation of template generations in tables',
  },
  {
    step: /^kind rules: a pod: another command$/,
    path: /message$/,
    reason: "ends with a diff of Go's internal structs",
  },
  {
    step: /^lists: GET .*status\.replicas/,
    path: /./,
    reason: 'replica sets can be selected by status.replicas here',
  },
  {
    step: /^watches: a timeout with bookmarks$/,
    path: /^events$/,
    reason: 'the end of initial events is announced only to who asked for it',
  },
  {
    step: /^data kinds: Event e2: not valid$/,
    path: /^body\.(message|details\.group)$/,
    reason: 'kube-apiserver forgets the group of the kind',
  },
  {
    step: /^(refusals: two controllers|workload kinds: DaemonSet ds: not valid)$/,
    path: /message$/,
    reason: "values are printed with sorted keys, not in the order of Go's structs",
  },
  {
    step: /^deletions: a new finalizer while terminating$/,
    path: /^body\.details\.causes$/,
    reason: 'kube-apiserver checks metadata twice and lists the same cause twice',
  },
  {
    step: /^discovery: (GET \/apis\/?|GET \/api\/v1|GET \/apis\/autoscaling\/v1|aggregated core|aggregated groups)$/,
    path: /./,
    reason:
      'not served: autoscaling/v1 beside v2, resource.k8s.io, component statuses, and what needs a kubelet (exec, attach, logs, proxies)',
  },
  {
    path: /annotations\.kubernetes\.io\/description$/,
    reason: 'prose, and ours is our own',
  },
  {
    step: /^watches: initial events as tables$/,
    path: /cells/,
    reason: 'the row of a bookmark is empty instead of that of an empty object',
  },
  {
    step: /^access: .*(may|review|token)/,
    path: /^body\.metadata/,
    reason: 'reviews are not stored, so their fields have no managers',
  },
  {
    step: /^access: GET \/\.well-known/,
    path: /^body\.jwks_uri$/,
    reason: 'the keys are found below the issuer instead of below the address of the server',
  },
  {
    step: /^access: cluster-info before anything$/,
    path: /./,
    reason: 'cluster-info can be read immediately: no kubeadm comes later to allow it',
  },
  {
    step: /^custom resources: another version$/,
    path: /^headers\.warning$/,
    reason: 'no warning about fields when the version itself is refused',
  },
  {
    step: /^apply: (GET .*deployments\/web|strategic patch|retain keys)/,
    path: /^body\.(metadata\.managedFields|metadata\.generation)/,
    reason: 'an apply to a Scale is taken as an update of the replicas',
  },
];
