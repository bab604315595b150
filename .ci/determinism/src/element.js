// Lit: elements with shadow roots, and ids by chance.
import { LitElement, css, html } from 'lit';
customElements.define('shopping-list', class extends LitElement {
  static properties = { count: {}, items: {}, text: {} };
  static styles = css`li { animation: in .5s } @keyframes in { from { opacity: 0; transform: translateX(50px) } }`;
  constructor() { super(); this.count = 0; this.items = []; this.text = ''; }
  add() { this.items = [...this.items, { text: this.text, id: crypto.randomUUID() }]; }
  render() {
    return html`<button id="count" @click=${() => this.count++}>${this.count}</button><input id="text" .value=${this.text} @input=${e => { this.text = e.target.value; }}><button id="add" @click=${this.add}>add</button>
<ul>${this.items.map(i => html`<li>${i.text} ${i.id.slice(0, 8)} <button @click=${() => { this.items = this.items.filter(x => x !== i); }}>x</button></li>`)}</ul>`;
  }
});
root.innerHTML = '<shopping-list></shopping-list>';
