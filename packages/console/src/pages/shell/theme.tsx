import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

type Theme = 'system' | 'light' | 'dark';
const order: readonly Theme[] = ['system', 'light', 'dark'];
const names: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' };
const key = 'slipway-theme';

export function applyTheme(theme: Theme = stored()): Theme {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  return theme;
}

function stored(): Theme {
  const value = window.localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(stored);
  const next = (): void => {
    const chosen = order[(order.indexOf(theme) + 1) % order.length] ?? 'system';
    window.localStorage.setItem(key, chosen);
    setTheme(applyTheme(chosen));
  };
  return (
    <button type="button" class="quiet" onClick={next} title="Switch between light and dark mode">
      <span class="only-wide">{names[theme]}</span>
      <span class="only-narrow" aria-hidden="true">
        ◐
      </span>
      <span class="hidden">theme</span>
    </button>
  );
}
