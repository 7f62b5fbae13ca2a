import { toCustomResourceDefinition } from '@slipway/kube/kit';
import type { ControllerSet } from '@slipway/runtime';
import { greeting } from './greeting.js';
import { createGreetingController } from './greeting-controller.js';

/** What `slipway manager` and `slipway up` need to run the controller. */
export const greetingSet: ControllerSet = {
  name: 'samples',
  controllers: [
    {
      name: 'greeting',
      create: ({ concurrency, watchFilter }) => createGreetingController({ concurrency, filter: watchFilter }),
    },
  ],
  customResourceDefinitions: () => [toCustomResourceDefinition(greeting)],
};
