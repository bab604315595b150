// Keys are made of the random numbers that a realm is given.
(function () {
  const G = globalThis, S = G.SubtleCrypto && SubtleCrypto.prototype, deck = G.__tracedeck;
  if (!S || !deck || deck.keyed) return;
  deck.keyed = true;
  const tell = G.__tracedeckTell || (() => {}), { generateKey, importKey, exportKey } = S;
  const random = n => crypto.getRandomValues(new Uint8Array(n));
  // What stands before a private key of a curve, and how long that is.
  const curves = {
    'P-256': ['3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 32], 'P-384': ['304e020100301006072a8648ce3d020106052b81040022043730350201010430', 48],
    'P-521': ['3060020100301006072a8648ce3d020106052b81040023044930470201010442', 66], ED25519: ['302e020100300506032b657004220420', 32], X25519: ['302e020100300506032b656e04220420', 32],
  };
  const blocks = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };
  const nameOf = a => `${(typeof a === 'string' ? a : a && a.name) || ''}`.toUpperCase();
  const pair = async (self, algorithm, [before, size], extractable, usages) => {
    const secret = random(size);
    secret[0] = 0; // smaller than the order of the curve
    const bytes = Uint8Array.from([...before.match(/../g).map(h => parseInt(h, 16)), ...secret]);
    const mine = usages.filter(u => u !== 'verify'), known = await importKey.call(self, 'pkcs8', bytes, algorithm, true, mine);
    const { kty, crv, x, y } = await exportKey.call(self, 'jwk', known);
    const publicKey = await importKey.call(self, 'jwk', { kty, crv, x, ...(y && { y }) }, algorithm, true, usages.filter(u => u === 'verify'));
    return { publicKey, privateKey: extractable ? known : await importKey.call(self, 'pkcs8', bytes, algorithm, false, mine) };
  };
  const make = async (self, algorithm, extractable, usages) => {
    const name = nameOf(algorithm), hash = nameOf(algorithm.hash), curve = curves[name] || /^EC(DSA|DH)$/.test(name) && curves[algorithm.namedCurve];
    if (/^AES-/.test(name) && [128, 192, 256].includes(algorithm.length)) return importKey.call(self, 'raw', random(algorithm.length / 8), { name }, extractable, usages);
    const bits = algorithm.length === undefined ? blocks[hash] : algorithm.length;
    if (name === 'HMAC' && bits > 0 && bits % 8 === 0) return importKey.call(self, 'raw', random(bits / 8), { name, hash, length: bits }, extractable, usages);
    if (curve && usages.length) return pair(self, algorithm, curve, extractable, usages);
    if (/^RSA/.test(name)) tell('random:a key of RSA');
    return generateKey.call(self, algorithm, extractable, usages);
  };
  hide(S, 'generateKey', { async generateKey(algorithm, extractable, usages) {
    return arguments.length < 3 || !usages || !algorithm ? generateKey.apply(this, arguments) : make(this, algorithm, extractable, [...usages]);
  } }.generateKey);
  for (const [name, kind] of [['sign', /^(ECDSA|RSA-PSS)$/], ['encrypt', /^RSA-OAEP$/]]) {
    const real = S[name];
    hide(S, name, { [name](algorithm) { if (kind.test(nameOf(algorithm))) tell(`random:${name} by ${nameOf(algorithm)}`); return real.apply(this, arguments); } }[name]);
  }
})();
