import { parseCertificates } from '@slipway/base';
import { InProcessClient } from '@slipway/plane';
import { connectionOf, type ContextConfig, parseKubeconfig, type ObjectKey, type WorkloadClient } from '@slipway/runtime';
