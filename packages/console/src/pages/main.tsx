import { render } from 'preact';
import { App } from './shell/app.js';
import { applyTheme } from './shell/theme.js';

applyTheme();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
