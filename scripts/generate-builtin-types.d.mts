/** Returns the content of every file of packages/kube/src/builtin by its name. */
export function builtinTypeFiles(): ReadonlyMap<string, string>;
