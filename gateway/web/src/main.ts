import './design/tokens.css';
import './design/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { language } from './texts/language.svelte';

// In the reader's language from the first word on.
void language.load().then(() => mount(App, { target: document.getElementById('page')! }));
