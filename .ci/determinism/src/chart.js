// Svelte's transitions, and a chart on a canvas.
import { mount } from 'svelte';
import Chart from './Chart.svelte';
mount(Chart, { target: document.getElementById('root') });
