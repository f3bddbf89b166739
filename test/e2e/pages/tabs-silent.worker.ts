// A worker whose author forgot to call serve().
export {}
