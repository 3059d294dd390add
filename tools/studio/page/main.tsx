import { render } from 'preact';
import { App } from './App.tsx';
import './styles/index.css';

const page = document.getElementById('page');
if (page) render(<App />, page);
