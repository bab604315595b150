// Vue, a list that grows while it is scrolled, web animations, view transitions, idle callbacks.
import { createApp } from 'vue';
createApp({
  data: () => ({ items: Array.from({ length: 30 }, (_, i) => i), big: false, idle: 0, seen: 0 }),
  mounted() {
    new IntersectionObserver(e => { if (e[0].isIntersecting) { this.seen++; fetch('/api/page' + this.seen).then(r => r.json()).then(() => { for (let i = 0; i < 20; i++) this.items.push(this.items.length); }); } }, { root: this.$refs.box }).observe(this.$refs.end);
    const idle = () => { this.idle++; requestIdleCallback(idle); }; requestIdleCallback(idle);
  },
  methods: {
    shuffle() { this.items = this.items.map(x => [Math.random(), x]).sort((a, b) => a[0] - b[0]).map(x => x[1]); },
    grow() { document.startViewTransition(() => { this.big = !this.big; return this.$nextTick(); }); },
    fly() { this.$refs.fly.animate([{ translate: '0 0' }, { translate: '300px 20px', rotate: '90deg' }], { duration: 2500, easing: 'ease-in-out' }); },
  },
  template: `<button id="shuffle" @click="shuffle">shuffle</button><button id="grow" @click="grow">grow</button><button id="fly" @click="fly">fly</button> {{ seen }}
<div ref="fly" style="width:30px;height:30px;background:#36c"></div><div :style="{ width: big ? '400px' : '100px', height: '40px', background: '#c63', viewTransitionName: 'box' }"></div>
<div id="box" ref="box" style="height:200px;overflow:auto"><TransitionGroup><p v-for="i in items" :key="i">item {{ i }}</p></TransitionGroup><div ref="end">end</div></div>`,
}).mount('#root');
