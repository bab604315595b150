// Swiper: slides in three dimensions, that go on by themselves.
import Swiper from 'swiper/bundle';
import 'swiper/css/bundle';
root.innerHTML = `<div class="swiper" style="width:500px;height:250px"><div class="swiper-wrapper">${Array.from({ length: 6 }, (_, i) => `<div class="swiper-slide" style="background:hsl(${i * 60} 60% 70%);font-size:60px">${i}</div>`).join('')}</div>
<div class="swiper-pagination"></div><div class="swiper-button-next"></div><div class="swiper-button-prev"></div></div><button id="auto">auto</button>`;
const s = new Swiper('.swiper', { loop: true, effect: 'coverflow', pagination: { el: '.swiper-pagination', clickable: true }, navigation: { nextEl: '.swiper-button-next', prevEl: '.swiper-button-prev' } });
document.getElementById('auto').onclick = () => { s.params.autoplay = { delay: 600 }; s.autoplay.start(); };
