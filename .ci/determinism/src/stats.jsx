import React from 'react';
export default ({ list }) => <b>{list.length} items, lucky {Math.floor(Math.random() * 1000)}</b>;
