import { render } from 'preact';
import { App } from './app';
import './styles.css';
import { followAddress } from './ui/address';

const root = document.getElementById('app');
if (root !== null) {
  // The page already contains a text, which is shown until the script runs.
  root.replaceChildren();
  followAddress();
  render(<App />, root);
}
