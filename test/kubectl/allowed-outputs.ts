export interface AllowedOutput {
  readonly command: RegExp;
  readonly reason: string;
}

/** Commands with known output differences. */
export const allowedOutputs: readonly AllowedOutput[] = [
  { command: /^api-versions$/, reason: 'autoscaling/v1 beside v2 and resource.k8s.io are not served' },
];
