use super::*;

/// `pickle.dumps({"states": [[1, 2, 0], (2, 1, 0), b"\x00\x01\x02"]}, protocol=2)`, with short bytes of protocol 3.
const LISTS: &[u8] = b"\x80\x02}q\x00U\x06statesq\x01]q\x02(]q\x03(K\x01K\x02K\x00eK\x02K\x01K\x00\x87C\x03\x00\x01\x02es.";

/// An object with slots that has a NumPy array, as in DeepCubeA's files.
const OBJECT: &[u8] = b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x8c\x06states](\x8c\x01m\x8c\x0cNPuzzleState\x93)\
    \x81}\x8c\x04hashNs}\x8c\x05tiles\x8c\x15numpy.core.multiarray\x8c\x0c_reconstruct\x93\x8c\x05numpy\x8c\x07ndarray\
    \x93K\x00\x85C\x01b\x87R(K\x01K\x04\x85\x8c\x05numpy\x8c\x05dtype\x93\x8c\x02i2\x89\x88\x87R(K\x03\x8c\x01<NNNJ\xff\
    \xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89C\x08\x03\x00\x01\x00\x00\x00\x02\x00tbs\x86bes.";

fn message(bytes: &[u8]) -> String {
    boards(bytes).unwrap_err().to_string()
}

#[test]
fn lists_tuples_and_bytes_are_boards() {
    assert_eq!(boards(LISTS).unwrap(), [[1, 2, 0], [2, 1, 0], [0, 1, 2]]);
}

#[test]
fn objects_with_numpy_arrays_are_boards() {
    assert_eq!(boards(OBJECT).unwrap(), [[3, 1, 0, 2]]);
}

/// Files that Python wrote, with the same two boards in all forms.
#[test]
fn every_form_is_read() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pickle");
    let boards_of =
        |file: &std::fs::DirEntry| boards(&std::fs::read(file.path()).unwrap()).unwrap();
    let files: Vec<_> = std::fs::read_dir(seeds).unwrap().map(|file| file.unwrap()).collect();
    assert!(files.len() >= 9);
    for file in files {
        let expected = [[1, 2, 3, 4, 5, 6, 7, 0, 8], [8, 1, 3, 4, 0, 2, 7, 6, 5]];
        assert_eq!(boards_of(&file), expected, "{}", file.path().display());
    }
}

#[test]
fn faults_are_named() {
    assert_eq!(message(b""), "byte 0 of the pickle: the file ends here");
    assert_eq!(message(&LISTS[..20]), "byte 20 of the pickle: the file ends here");
    assert!(message(b"\x80\x02i").ends_with("instruction 0x69 is not one of files of boards"));
    assert!(message(b"\x80\x02K\x01.").contains("no list of whole numbers"));
    let unsigned = OBJECT.iter().position(|&byte| byte == b'<').unwrap();
    let mut big = OBJECT.to_vec();
    big[unsigned] = b'>';
    assert!(message(&big).contains("the lowest byte first"));
}

#[test]
fn few_bytes_cannot_name_many_tiles() {
    // A list of a hundred numbers, which a list names a hundred times.
    let mut bytes = b"\x80\x02](".to_vec();
    bytes.extend(b"](");
    bytes.extend(b"K\x01".repeat(100));
    bytes.extend(b"eq\x00");
    bytes.extend(b"h\x00".repeat(100));
    bytes.extend(b"e.");
    assert!(message(&bytes).ends_with("it names more tiles than it has bytes"));
}
