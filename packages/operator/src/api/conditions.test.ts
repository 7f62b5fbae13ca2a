import { expect, it } from 'vitest';
import { conditionTypes, installReasons, preflightReasons, readyReasons, upgradeReasons } from './conditions.js';

const all = [preflightReasons, installReasons, upgradeReasons, readyReasons].flatMap((each) => Object.values(each));

it('has condition reasons that match the pattern of the API server [operators 19]', () => {
  for (const reason of [...all, ...Object.values(conditionTypes)])
    expect(reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
});
