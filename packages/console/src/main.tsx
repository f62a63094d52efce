import { render } from 'preact';
import { App } from './app';
import 'uplot/dist/uPlot.min.css';
import './styles.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
