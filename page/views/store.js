// Solves stored in the browser, in IndexedDB: thousands fit, and tabs that write at the same time lose nothing. A
// record is {id, kind, date, ms, length, moves, times, board, seed, dnf, comment, optimal, …}; puzzle/solve_record.js
// describes the fields.

const [SOLVES, PICTURES] = ['solves', 'pictures'];

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const finished = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = () => resolve();
  transaction.onabort = transaction.onerror = () => reject(transaction.error);
});

/** Identity by which duplicates are recognised. Of solves without a date, the moves belong to it. */
const stampOf = ({ kind, date, ms, moves }) => `${kind} ${date} ${ms}${date ? '' : ` ${moves}`}`;

const inOrder = (solves) => solves.sort((a, b) => a.date - b.date || a.id - b.id);

export class SolveStore {
  /** Opens the storage. Throws if it is disabled. */
  static async open() {
    const opening = indexedDB.open('loyd', 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(SOLVES, { keyPath: 'id', autoIncrement: true }).createIndex('kind', 'kind');
      opening.result.createObjectStore(PICTURES);
    };
    return new SolveStore(await result(opening));
  }

  constructor(database) {
    this.database = database;
    this.isLasting = true;
    this.channel = new BroadcastChannel('loyd.solves');
  }

  /** Calls `onchange` when another tab has changed the solves. */
  listen(onchange) {
    this.channel.onmessage = onchange;
  }

  close() {
    this.channel.close();
    this.database.close();
  }

  /** Runs a change in a transaction and waits until it is stored. Returns what `change(objectStore)` returns. */
  async write(change) {
    const transaction = this.database.transaction(SOLVES, 'readwrite');
    const end = finished(transaction);
    const [value] = await Promise.all([change(transaction.objectStore(SOLVES)), end]);
    this.channel.postMessage('changed');
    return value;
  }

  /** Returns the solves of a kind, or all of them, the oldest first. */
  async list(kind = null) {
    const store = this.database.transaction(SOLVES).objectStore(SOLVES);
    return inOrder(await result(kind === null ? store.getAll() : store.index('kind').getAll(kind)));
  }

  /** Adds a solve and returns its id. */
  add(solve) {
    return this.write((store) => result(store.add(solve)));
  }

  /** Changes fields of a solve. Does nothing if it has been deleted. */
  change(id, fields) {
    return this.write(async (store) => {
      const solve = await result(store.get(id));
      if (solve) await result(store.put({ ...solve, ...fields }));
    });
  }

  /** Stores a solve that was deleted again, under its old id. */
  restore(solve) {
    return this.write((store) => result(store.put(solve)));
  }

  remove(id) {
    return this.write((store) => result(store.delete(id)));
  }

  /** Adds the solves that are not stored yet. Returns their number. */
  addAll(solves) {
    return this.write(async (store) => {
      const known = new Set((await result(store.getAll())).map(stampOf));
      const fresh = solves.filter((solve) => !known.has(stampOf(solve)) && known.add(stampOf(solve)));
      for (const solve of fresh) store.add(solve);
      return fresh.length;
    });
  }

  picture() {
    return result(this.database.transaction(PICTURES).objectStore(PICTURES).get('own'));
  }

  async keepPicture(blob) {
    const transaction = this.database.transaction(PICTURES, 'readwrite');
    transaction.objectStore(PICTURES).put(blob, 'own');
    await finished(transaction);
  }
}

/** A store for a browser whose storage is disabled: solves last until the reader leaves. */
export class BriefStore {
  constructor() {
    Object.assign(this, { solves: new Map(), isLasting: false, last: 0 });
  }

  listen() {}

  close() {}

  async list(kind = null) {
    return inOrder([...this.solves.values()].filter((solve) => kind === null || solve.kind === kind));
  }

  async add(solve) {
    const id = (this.last += 1);
    this.solves.set(id, { ...solve, id });
    return id;
  }

  async change(id, fields) {
    if (this.solves.has(id)) this.solves.set(id, { ...this.solves.get(id), ...fields });
  }

  async restore(solve) {
    this.solves.set(solve.id, solve);
  }

  async remove(id) {
    this.solves.delete(id);
  }

  async addAll(solves) {
    const known = new Set([...this.solves.values()].map(stampOf));
    const fresh = solves.filter((solve) => !known.has(stampOf(solve)) && known.add(stampOf(solve)));
    for (const solve of fresh) await this.add(solve);
    return fresh.length;
  }

  async picture() {
    return this.own;
  }

  async keepPicture(blob) {
    this.own = blob;
  }
}
