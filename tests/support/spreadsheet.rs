//! Spreadsheets of our own making: a ZIP whose files are not packed, with one sheet of texts.

/// A spreadsheet of some rows.
pub fn spreadsheet(rows: &[&[&str]]) -> Vec<u8> {
    let types = "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let relation = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns='{package}'><Relationship Id='r1' \
             Type='{relations}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let workbook = format!(
        "<workbook xmlns='{main}' xmlns:r='{relations}'><sheets><sheet name='latencies' \
         sheetId='1' r:id='r1'/></sheets></workbook>"
    );
    let cells = |(number, row): (usize, &&[&str])| {
        let cell = |(column, text): (usize, &&str)| {
            let letter = char::from(b'A' + column as u8);
            let place = format!("{letter}{}", number + 1);
            match text.parse::<f64>() {
                Ok(value) => format!("<c r='{place}'><v>{value}</v></c>"),
                Err(_) => {
                    format!("<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>")
                }
            }
        };
        let cells: String =
            row.iter().enumerate().filter(|(_, text)| !text.is_empty()).map(cell).collect();
        format!("<row r='{}'>{cells}</row>", number + 1)
    };
    let rows: String = rows.iter().enumerate().map(cells).collect();
    let sheet = format!("<worksheet xmlns='{main}'><sheetData>{rows}</sheetData></worksheet>");
    archive(&[
        ("[Content_Types].xml", types),
        ("_rels/.rels", &relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relation("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// A ZIP of files as they are. Source: PKWARE, "APPNOTE.TXT", sections 4.3.7, 4.3.12 and 4.3.16.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let offset = out.len() as u32;
        let mut about = Vec::new();
        // Version, flags, method, time and date; then what checks, and sizes.
        about.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        about.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
        about.extend((text.len() as u32).to_le_bytes());
        about.extend((text.len() as u32).to_le_bytes());
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        out.extend(b"PK\x03\x04".iter().chain(&about).chain(name.as_bytes()));
        out.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x00".iter().chain(&about));
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let begin = out.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0".iter().chain(&count).chain(&count));
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(begin.to_le_bytes());
    out.extend([0, 0]);
    out
}
