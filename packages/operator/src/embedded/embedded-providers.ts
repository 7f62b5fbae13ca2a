import { isSameProvider, labelOf, type ProviderType } from '@slipway/clusterctl';
import type { ControllerSet } from '@slipway/runtime';
import { ControllerSwitch } from './controller-switch.js';

/** A provider whose controllers run in the process of the API server. */
export interface EmbeddedProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  readonly namespace: string;
  /** Names of its controllers, or of whole sets of them. */
  readonly controllers: readonly string[];
}

type Named = Pick<EmbeddedProvider, 'name' | 'type'>;

/** The providers of this process, and whether their controllers run. */
export class EmbeddedProviders {
  readonly list: readonly EmbeddedProvider[];
  readonly #switches: ReadonlyMap<string, ControllerSwitch>;

  constructor(list: readonly EmbeddedProvider[]) {
    this.list = list;
    this.#switches = new Map(list.map((each) => [labelOf(each), new ControllerSwitch(labelOf(each))]));
  }

  find(provider: Named): EmbeddedProvider | undefined {
    return this.list.find((each) => isSameProvider(each, provider));
  }

  isRunning(provider: Named): boolean {
    return this.#switches.get(labelOf(provider))?.isOn === true;
  }

  /** Once it is off, nothing that its controllers have under way is written any more. */
  setRunning(provider: Named, running: boolean): void {
    this.#switches.get(labelOf(provider))?.turn(running);
  }

  /** The sets of this process, each controller behind the switch of its provider. */
  switched(sets: readonly ControllerSet[]): readonly ControllerSet[] {
    return sets.map((set) =>
      this.list.reduce(
        (changed, provider) =>
          this.#switches
            .get(labelOf(provider))
            ?.behind(
              changed,
              (name) => provider.controllers.includes(name) || provider.controllers.includes(set.name),
            ) ?? changed,
        set,
      ),
    );
  }
}
