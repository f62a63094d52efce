import { render } from 'preact';
import { App } from './app';
import './styles.css';

const root = document.getElementById('app');
if (root !== null) {
  // The page says something before the script is there.
  root.replaceChildren();
  render(<App />, root);
}
