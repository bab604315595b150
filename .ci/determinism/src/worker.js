let n = 0; setInterval(() => { n++; }, 9); onmessage = e => setTimeout(() => postMessage(`${e.data} ${n} ${Math.random()} ${performance.now()}`), 40);
