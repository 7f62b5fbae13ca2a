import { describe, expect, it } from 'vitest';
import { fillTemplate } from './jinja.js';

const facts = { v1: { local_hostname: 'm-1' }, ds: { meta_data: { hostname: 'm-1', 'local-ipv4': '10.0.0.3' } } };
const template = (text: string): string => `## template: jinja\n${text}`;

describe('a template', () => {
  it.each([
    {
      name: 'does not change data without the template header',
      data: 'a {{ v1.local_hostname }}',
      then: 'a {{ v1.local_hostname }}',
    },
    {
      name: 'resolves names',
      data: template('a {{ v1.local_hostname }} {{ds.meta_data.hostname}}'),
      then: 'a m-1 m-1',
    },
    { name: 'resolves names in brackets', data: template(`{{ ds.meta_data['local-ipv4'] }}`), then: '10.0.0.3' },
    { name: 'drops comments', data: template('a{# {{ b }} #}c'), then: 'ac' },
    { name: 'keeps raw text', data: template('{% raw %}{{ x }}{% endraw %}'), then: '{{ x }}' },
    {
      name: 'renders unknown names as cloud-init does',
      data: template('{{ ds.meta_data.region }}'),
      then: 'CI_MISSING_JINJA_VAR/region',
    },
    {
      name: 'ignores inherited properties of objects',
      data: template('{{ v1.constructor }}'),
      then: 'CI_MISSING_JINJA_VAR/constructor',
    },
  ])('$name', ({ data, then }) => {
    expect(fillTemplate(data, facts)).toBe(then);
  });

  it.each(['{% if x %}y{% endif %}', '{{ v1.local_hostname | upper }}', '{{ 1 + 1 }}'])('rejects %s', (text) => {
    expect(() => fillTemplate(template(text), facts)).toThrow(/^the template /);
  });
});
