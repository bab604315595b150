// D3: a force layout and transitions.
import { easeBounce, forceCenter, forceLink, forceManyBody, forceSimulation, range, schemeTableau10, select } from 'd3';
import 'd3-transition';
root.innerHTML = '<button id="heat">heat</button><button id="grow">grow</button><button id="paint">paint</button><br>';
const nodes = range(30).map(id => ({ id })), links = range(1, 30).map(i => ({ source: i, target: Math.floor(Math.random() * i) }));
const svg = select(root).append('svg').attr('width', 600).attr('height', 360), simulation = forceSimulation(nodes).force('charge', forceManyBody().strength(-60)).force('link', forceLink(links)).force('center', forceCenter(300, 180));
const line = svg.selectAll('line').data(links).join('line').attr('stroke', '#999'), circle = svg.selectAll('circle').data(nodes).join('circle').attr('r', 8).attr('fill', d => schemeTableau10[d.id % 10]);
simulation.on('tick', () => { line.attr('x1', d => d.source.x).attr('y1', d => d.source.y).attr('x2', d => d.target.x).attr('y2', d => d.target.y); circle.attr('cx', d => d.x).attr('cy', d => d.y); });
select('#heat').on('click', () => simulation.alpha(1).restart());
select('#grow').on('click', () => circle.transition().duration(900).ease(easeBounce).attr('r', () => 4 + Math.random() * 14));
select('#paint').on('click', () => svg.transition().duration(700).style('background', `hsl(${Math.random() * 360} 80% 90%)`));
